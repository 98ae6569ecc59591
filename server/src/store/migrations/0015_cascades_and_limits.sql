-- Cascades, exact limits and the schemes' retry budgets (chapter 50 §3, §4).
--
-- Safe while the previous release still runs: nothing is changed yet.
select;
