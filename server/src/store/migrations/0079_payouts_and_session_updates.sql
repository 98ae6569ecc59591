-- Payouts, and updates of Checkout sessions by their token alone, are off in a mapping that is created from now on. Mappings that exist keep both, so that their merchants can do
-- what they could before. Decision 0365.
--
-- Safe while the previous release serves: it ignores the two options. A mapping that its panel or command line saves loses them, and is set again in the new release.
update protocol_mappings set options = '{"payouts": true}' || options where not options ? 'payouts';
update protocol_mappings set options = '{"sessionUpdate": "token"}' || options where protocol = 'CHECKOUT' and not options ? 'sessionUpdate';
