p('a\\', '). :- use_module(helper). %').
