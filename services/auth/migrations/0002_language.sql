-- The language a user last spoke to us in, for what is sent to them.
alter table users add column language text not null default 'de';
