-- What MIDs answered lately, and their circuit breakers (chapter 50 §4).
--
-- Safe while the previous release still runs: nothing is changed yet.
select;
