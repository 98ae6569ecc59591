-- Links by mail with which users choose a password: invitations and resets (chapter 70 §9). The code itself is only in the mail.
--
-- Safe while the previous release serves: it does not know the table. A password that it sets leaves a link valid until its expiry.
create table password_links (
  code_hash bytea primary key,
  user_id uuid not null unique references users (id) on delete cascade,
  purpose text not null check (purpose in ('invitation', 'reset')),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
