% environment: long-corridor-11:wall
% The paper's program for Long Corridor-11 where only walls are seen. The left one is never reached.
0.244::action(left) ; 0.756::action(right) :- \+ right_wall_present.
0.756::action(left) ; 0.244::action(right) :- right_wall_present.
