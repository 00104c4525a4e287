import type { de } from './texts-de.ts';

/** English texts of members and invitations. */
export const en: Readonly<Record<keyof typeof de, string>> = {
  title: 'Members',
  text: 'Members help with this proxy using their own account. The proxy still counts toward your plan.',
  'text.member': 'Who helps with this proxy.',
  'text.noToken':
    'You can’t install the connector or recreate the tunnel: the same server runs proxies where your role is lower than “{role}”, or where you’re not a member.',
  'text.used': 'Used: {used} of {limit}.',
  'limit.none': 'The current plan doesn’t include members.',
  'limit.full': 'The plan doesn’t allow more members ({limit} per proxy, including open invitations).',
  failed: 'Couldn’t load the members',
  empty: 'Nobody yet. Invite somebody, such as a second administrator of your server.',
  'empty.member': 'Nobody yet besides the owner.',

  known: 'The token is still known',
  'known.text':
    'Somebody who has read it may no longer be a member. With a new token, the current one is worthless.',
  'known.renew': 'New token',

  'name.link': 'Invitation by link',
  'name.unknown': 'User #{id}',
  you: 'You',
  invited: 'Invited',
  until: 'Member until',
  'until.never': 'further notice',
  invitedUntil: 'Invitation valid until',
  joined: 'Member since',

  role: 'Role',
  'role.view.text': 'Sees the status, history, addresses, access rules, and members.',
  'role.operate.text':
    'Can also pause the proxy, check domains, install the connector, and recreate the tunnel.',
  'role.operate.shared':
    'Can also pause the proxy and check domains. Only members with this role at all proxies on the server can install the connector and recreate the tunnel.',
  'role.manage.text':
    'Can also edit the proxy, manage its access, domains, game ports, and members, and see what visitors request. Only the owner can delete it.',

  invite: 'Invite',
  'invite.title': 'Invite to the proxy',
  'invite.way': 'Invite',
  'invite.way.username': 'a user',
  'invite.way.email': 'by email',
  'invite.way.link': 'with a link',
  'invite.username': 'Username',
  'invite.username.hint':
    'If there is such a user, the invitation shows up in their panel. They become a member when they accept it.',
  'invite.email': 'Email address',
  'invite.email.hint': 'The person gets a link to accept, also after signing up. It is valid for 7 days.',
  'invite.link.hint': 'Exactly one person can use the link, also after signing up. It is valid for 7 days.',
  'invite.lasts': 'Membership ends',
  'invite.lasts.never': 'never',
  'invite.lasts.days_one': 'after {count} day',
  'invite.lasts.days_other': 'after {count} days',
  'invite.lasts.at': 'on {time}',
  'invite.failed': 'Couldn’t invite',
  'invite.done': 'Invited',

  'link.title': 'Invitation link',
  'link.text': 'Give this link to the person who should become a member. It is shown only now.',
  'link.label': 'Copy invitation link',
  'link.saved': 'I saved the link',

  edit: 'Change',
  'edit.of': 'Change {name}',
  'edit.title': 'Change member',
  'edit.submit': 'Save',
  'edit.failed': 'Couldn’t save the change',
  'edit.done': 'Saved',

  'removal.remove': 'Remove',
  'removal.remove.of': 'Remove {name}',
  'removal.remove.title': 'Remove member',
  'removal.remove.text': '{name} loses access to this proxy immediately.',
  'removal.remove.done': 'Member removed',
  'removal.failed': 'Couldn’t remove',
  'removal.withdraw': 'Withdraw',
  'removal.withdraw.of': 'Withdraw {name}',
  'removal.withdraw.title': 'Withdraw invitation',
  'removal.withdraw.text': 'Nobody can accept the invitation after that ({name}).',
  'removal.withdraw.done': 'Invitation withdrawn',

  leave: 'Leave proxy',
  'leave.text': 'You lose access to “{proxy}”. Only a new invitation brings you back.',
  'leave.admin': 'You are no longer a member of “{proxy}”. As an administrator you can still reach it.',
  'leave.done': 'Membership ended',
  'leave.failed': 'Couldn’t leave',

  'shared.title': 'Proxies shared with me',
  'shared.text': 'Proxies of other users that you are a member of. They don’t count toward your plan.',
  'shared.owner': 'Owner',
  'shared.ownerUnknown': 'unknown',
  'shared.address': 'Address',
  'shared.role': 'My role',
  'shared.failed': 'Couldn’t load the shared proxies',

  'invitations.title': 'Invitations',
  'invitations.text': 'If you accept, the proxy is listed on this page below your own.',
  'invitations.from': 'From',
  'invitations.role': 'Role',
  'invitations.allows': 'What the role allows',
  'invitations.accept': 'Accept',
  'invitations.accept.of': 'Accept the invitation to {proxy}',
  'invitations.accept.failed': 'Couldn’t accept',
  'invitations.decline': 'Decline',
  'invitations.decline.of': 'Decline the invitation to {proxy}',
  'invitations.decline.ask': 'Decline the invitation?',
  'invitations.decline.askText':
    'The link to {proxy} stops working, for others too. The owner can invite you again.',
  'invitations.decline.failed': 'Couldn’t decline',
  'invitations.gone': 'This invitation was withdrawn or has expired.',
  'invitations.declined': 'Invitation declined',
  'invitations.accepted': 'You are now a member',

  'join.failed': 'This invitation can’t be accepted',
  'join.already': 'You’re already in',
  'join.open': 'Open proxy',
  'join.text':
    'If you accept, you will see the proxy under “Proxies shared with me”. The owner will see your username.',
};
