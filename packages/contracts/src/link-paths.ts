/** What a link is for that works once, and the page it leads to. */
export const linkPaths = {
  reset_password: '/reset',
  verify_email: '/verify',
  not_me: '/not-me',
} as const;
export type LinkPurpose = keyof typeof linkPaths;

/** Where providers send a browser back to; the operator registers it there. @param provider its id, or a router's parameter */
export const providerPath = (provider: string): string => `/sign-in/${provider}`;

/** The path of a link with its secret, which follows `#`: browsers send that to no server. */
export const linkPath = (purpose: LinkPurpose, token: string): string => `${linkPaths[purpose]}#${token}`;

/** The page that shows an invitation to a proxy and accepts it. The secret follows `#`. */
export const joinPath = '/join';

/** What a link in an email is for. Auth makes the secrets of all but `join`. */
export type MailLink = LinkPurpose | 'join';
export const mailLinkPath = (link: MailLink, token: string): string =>
  link === 'join' ? `${joinPath}#${token}` : linkPath(link, token);

/** The address that ends notifications by email: a page, and the target of a mail program's POST (RFC 8058). `token` is in the query. */
export const unsubscribePath = '/unsubscribe';
