-- What the panel adds (chapter 50 §8).
--
-- Safe while the previous release still runs: nothing is changed yet.
select;
