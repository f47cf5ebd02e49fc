0.3::coin.
0.2::noise(X) :- hand(X), X > 1.
low(Y) :- hand(X), Y is X*2-1, X =< 2, X =\= 3, X \= 4.
0.3::action(hit) ; 0.7::action(stick) :- hand(X), (low(X) ; \+ (coin, noise(X))).
action(stick) :- \+ hand(_), coin ; ace.
query(action(_)).
