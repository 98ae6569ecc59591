-- The look of the hosted page by merchant (chapter 30 §7.1, "Branding").
--
-- Safe while the previous release still runs: it shows its own look.
create table merchant_brandings (
  merchant_id uuid primary key references merchants,
  heading     text check (heading ~ '^#[0-9a-f]{6}$'),
  background  text check (background ~ '^#[0-9a-f]{6}$'),
  button      text check (button ~ '^#[0-9a-f]{6}$'),
  logo        bytea check (length(logo) <= 102400),
  logo_type   text check (logo_type in ('image/png', 'image/svg+xml')),
  -- SHA-256 in hexadecimal digits, which is the logo's address: another logo has another one.
  logo_hash   text,
  changed_at  timestamptz not null,
  changed_by  text not null,
  check (num_nulls(logo, logo_type, logo_hash) in (0, 3))
);
create index merchant_brandings_logo on merchant_brandings (logo_hash) where logo_hash is not null;
