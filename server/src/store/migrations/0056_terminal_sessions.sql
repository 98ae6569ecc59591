-- Sessions of the virtual terminal (chapter 70 §8): card fields in the panel, charged by the panel alone.
--
-- Safe while the previous release serves: it opens no session of the new kind, and its frames refuse one. The rows of today are not
-- checked again: the new constraint allows more than the old one.
--
-- oldest program: 0020
alter table sessions drop constraint sessions_kind_check;
alter table sessions add constraint sessions_kind_check check (kind in ('page', 'fields', 'terminal')) not valid;
