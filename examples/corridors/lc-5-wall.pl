% environment: long-corridor-5:wall
% The paper's program for Long Corridor-5 where only walls are seen.
0.139::action(left) ; 0.861::action(right) :- left_wall_present, \+ right_wall_present.
0.326::action(left) ; 0.674::action(right) :- \+ left_wall_present, \+ right_wall_present.
