% environment: blackjack
0.25::action(hit) ; 0.75::action(stick) :- hand(1), \+ ace.
1.0::action(stick) :- low.
1e-3::action(hit) :- hand(2).
action(hit) :- \+ \+ ace, hand(3).
low :- hand(2). /* a block */ low :- ace.
query(action(_)).
