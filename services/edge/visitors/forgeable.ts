interface Kind {
  /** What origins take such a header for. */
  readonly says: string;
  /** Of names in lower case. */
  readonly pattern: RegExp;
  readonly examples: readonly string[];
}

/**
 * Headers that origins believe because only a proxy in front of them should set them. None comes from a visitor: what an origin learns of
 * address, host and scheme it gets from the edge, in `x-forwarded-for`, `-host` and `-proto`, `cf-connecting-ip` and `cf-ray`. These are kinds and
 * no list of names, so that a proxy that nobody thought of is covered, too.
 */
export const forgeableKinds: readonly Kind[] = [
  {
    says: 'the address of the visitor',
    pattern:
      /(^|-)(client|peer|proxy|real|remote|source|src|true|user|visitor)?(ip|ip-?addr(ess)?)$|(^|-)(client|peer|real|remote|source|user)-?addr(ess)?$|^x-cluster-client$/,
    examples: [
      ...['client-ip', 'x-real-ip', 'true-client-ip', 'x-client-ip', 'x-cluster-client-ip', 'x-remote-ip'],
      ...[
        'x-proxyuser-ip',
        'proxy-client-ip',
        'x-originating-ip',
        'do-connecting-ip',
        'x-user-ip',
        'x-coming-ip',
      ],
      ...['remote-addr', 'x-remote-addr', 'x-client-address', 'x-ip', 'x-ipaddress', 'wl-proxy-client-ip'],
      ...['x-clientip', 'clientip', 'x-realip', 'x-trueip', 'x-remoteip', 'x-remoteaddr', 'remoteaddress'],
    ],
  },
  {
    says: 'what the request was before a proxy',
    pattern: /(^|-)forward(ed)?(-|$)|^x-(original|override|rewrite|envoy)-|^x-arr-|^x-request-ur[il]$/,
    examples: [
      ...[
        'forwarded',
        'forwarded-for',
        'x-forwarded',
        'x-forwarded-for',
        'x-forwarded-host',
        'x-forwarded-proto',
      ],
      ...['x-forwarded-prefix', 'x-forwarded-client-cert', 'x-original-forwarded-for', 'x-forward-for'],
      ...[
        'x-original-url',
        'x-original-host',
        'x-rewrite-url',
        'x-envoy-external-address',
        'x-envoy-original-path',
      ],
      ...['x-arr-ssl', 'x-arr-log-id', 'x-override-url', 'x-request-uri'],
    ],
  },
  {
    says: 'the host and the scheme',
    pattern: /^x-(.*-)?host(-override|-name)?$|^x-proto(col)?$|^(x-|front-end-)(.*-)?(https|scheme|ssl)$/,
    examples: [
      ...['x-host', 'x-http-host-override', 'x-backend-host', 'x-real-host', 'x-proto', 'x-protocol'],
      ...['x-scheme', 'x-url-scheme', 'front-end-https', 'x-https', 'x-ssl'],
    ],
  },
  {
    says: 'who has signed in, or shown a certificate, at a proxy',
    pattern:
      /^(x-)?(remote|(ssl|tls)-(client|cert)|client-?cert(ificate)?|client-(dn|verified|verify)|cas|gap|ldap|replit|webauth|auth-request|authenticated|authentik|pomerium|vouch|tailscale)(-|$)|^x-(ms-client-principal|goog-authenticated|goog-iap)(-|$)|^(oidc|iv|mellon|saml|shib|sm|x-consumer|x-credential)-|^smuser$|^x-((auth|jwt|oauth|proxy|saml|sso|token)-)+(claims?|email|groups?|id|name|roles?|sub(ject)?|user(-?name)?)(-|$)|^x-(is-?admin|(user-?)?(emails?|groups?|info|roles?)|user(-?name)?)$/,
    examples: [
      ...['remote-user', 'x-remote-user', 'remote-groups', 'x-webauth-user', 'x-auth-request-email'],
      ...[
        'x-authenticated-user',
        'ssl-client-verify',
        'x-ssl-client-dn',
        'x-client-cert',
        'tailscale-user-login',
      ],
      ...[
        'x-authentik-username',
        'x-pomerium-claim-email',
        'x-vouch-user',
        'x-client-certificate',
        'x-ssl-cert',
      ],
      ...[
        'x-auth-user',
        'x-username',
        'x-email',
        'oidc-claim-sub',
        'iv-user',
        'x-consumer-username',
        'smuser',
      ],
      ...['x-proxy-user', 'x-token-subject', 'x-auth-request-groups', 'shib-identity-provider', 'x-groups'],
      ...['x-user-email', 'x-user-role', 'x-userinfo', 'x-is-admin', 'x-ldap-user', 'cas-user', 'gap-auth'],
      ...['x-client-verified', 'x-clientcert-subject', 'x-replit-user-name', 'x-cluster-client'],
      ...['x-ms-client-principal-name', 'x-goog-authenticated-user-email', 'x-goog-iap-jwt-assertion'],
    ],
  },
  {
    says: 'what a network or a platform in front has found out',
    pattern:
      /^(akamai|ali-cdn|cdn|cf|cloudfront|fastly|fly|incap|wl-proxy)-|^x-(akamai|amz-cf|amzn|appengine|azure|cdn|fastly|fd|gfe|nf|sucuri|vercel)-/,
    examples: [
      ...['cf-connecting-ip', 'cf-ray', 'cf-access-jwt-assertion', 'cf-cloudflared-proxy-src', 'cf-visitor'],
      ...[
        'x-azure-clientip',
        'x-azure-socketip',
        'x-appengine-user-ip',
        'x-appengine-country',
        'fastly-client-ip',
      ],
      ...[
        'fastly-ssl',
        'x-fd-healthprobe',
        'cloudfront-viewer-address',
        'cloudfront-forwarded-proto',
        'fly-client-ip',
      ],
      ...[
        'x-amzn-trace-id',
        'x-amz-cf-id',
        'x-nf-client-connection-ip',
        'x-vercel-forwarded-for',
        'x-akamai-edgescape',
      ],
      ...['x-sucuri-clientip', 'incap-client-ip', 'ali-cdn-real-ip', 'cdn-loop', 'wl-proxy-ssl'],
    ],
  },
  {
    says: 'what the edge and a game server’s panel alone say',
    // txAdmin trusts local requests with its two; they are for its game server alone. Proxy becomes HTTP_PROXY in CGI.
    pattern: /^(proxy|x-talpa-.*|x-txadmin-(identifiers|token))$/,
    examples: ['proxy', 'x-talpa-tunnel', 'x-txadmin-identifiers', 'x-txadmin-token'],
  },
];

/** @param name in lower case. */
export const isForgeable = (name: string): boolean =>
  forgeableKinds.some(({ pattern }) => pattern.test(name));
