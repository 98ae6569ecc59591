-- Forms of merchants' own that the service hosts in place of its page (chapter 30 §9.4).
--
-- Every upload is a version of its own: while a new one is reviewed, the approved one goes on being shown.
--
-- Safe while the previous release still runs: it knows no forms and shows the standard page.
create table sdk_forms (
  -- Names the form's files in addresses.
  id          uuid primary key,
  merchant_id uuid not null references merchants,
  -- `form_id` of a session.
  form_id     text not null,
  version     int not null,
  state       text not null check (state in ('draft', 'in review', 'approved', 'withdrawn')),
  template    text not null,
  -- What the page's policy names beside this host: hashes of inline scripts, handlers and styles. Written at approval.
  scripts     text[] not null default '{}',
  styles      text[] not null default '{}',
  uploaded_at timestamptz not null,
  changed_at  timestamptz not null,
  changed_by  text not null,
  unique (merchant_id, form_id, version)
);
-- One version at a time is shown.
create unique index sdk_forms_approved on sdk_forms (merchant_id, form_id) where state = 'approved';

create table sdk_form_files (
  form    uuid not null references sdk_forms on delete cascade,
  path    text not null,
  content bytea not null,
  primary key (form, path)
);
