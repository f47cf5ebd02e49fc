:- use_module(library(os)).
:- consult('x').
x.0.4::action(hit).
1e400::action(hit).
p (1).
q('\'/*').
