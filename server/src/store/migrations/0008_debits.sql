-- Debits of S2S APM (chapter 20 §12).
--
-- The commission per currency (0006) takes the place of the one for all currencies. Not safe while the previous release still runs,
-- because it writes the columns; nothing has been released with them yet.
alter table merchants drop column debit_fixed_minor, drop column debit_percent;

-- A debit that was calculated and never completed expires by itself: one more command that the service gives when its time has come.
alter table deferred_commands drop constraint deferred_commands_command_check;
alter table deferred_commands add constraint deferred_commands_command_check
  check (command in ('CAPTURE', 'RETRY', 'EXPIRE'));
