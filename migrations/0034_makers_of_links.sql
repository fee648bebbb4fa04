-- Who made an invitation or a link for a new password, a user of staff or of the seller: it works while its maker has the power over
-- whom it serves. Links for new passwords that were made before name nobody and work no more; they would have ended within a day.
-- Invitations that were made before work until they expire.
alter table seller_invitations add column made_by uuid;
alter table seller_password_links add column made_by uuid;
