0.3::action(hit). 0.7::action(stick).
