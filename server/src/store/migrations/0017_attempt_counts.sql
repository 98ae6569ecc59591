-- Attempts counted for all processes (chapter 30).
--
-- Safe while the previous release still runs: nothing is changed yet.
select;
