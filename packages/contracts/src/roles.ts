/** What a member of a proxy may do; each role includes those before it. The table of rights in test-kit lists each role's calls. */
export const memberRoles = ['view', 'operate', 'manage'] as const;
export type MemberRole = (typeof memberRoles)[number];

/** Who somebody is to a proxy. `owner`: its owner, and administrators. */
export const proxyRoles = [...memberRoles, 'owner'] as const;
export type ProxyRole = (typeof proxyRoles)[number];

/** Whether somebody with a role may do what takes another one. */
export function includesRole(role: ProxyRole, needed: ProxyRole): boolean {
  return proxyRoles.indexOf(role) >= proxyRoles.indexOf(needed);
}

/** What the reader of a proxy is to it. */
export const roleOf = (proxy: { readonly membership: { readonly role: MemberRole } | null }): ProxyRole =>
  proxy.membership?.role ?? 'owner';
