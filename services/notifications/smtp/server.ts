interface Server {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  /** Nothing is sent without TLS; else it is used where the server offers it. */
  readonly requireTLS: boolean;
  readonly tls?: { readonly rejectUnauthorized: false };
  readonly auth?: { readonly user: string; readonly pass: string };
}

const isThisMachine = (host: string) => ['localhost', '127.0.0.1', '::1'].includes(host);

/**
 * Where `smtp://user:password@host:587` or `smtps://…` leads. A password never leaves this machine without TLS,
 * and nothing leaves it for a server with a wrong certificate. On this machine that counts for nothing: mail servers
 * come with a certificate that nobody trusts.
 */
export function serverOf(url: string): Server {
  const { protocol, hostname, port, username, password } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const secure = protocol === 'smtps:';
  const auth = username
    ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
    : undefined;
  return {
    host,
    port: port ? Number(port) : secure ? 465 : 587,
    secure,
    requireTLS: !secure && auth !== undefined && !isThisMachine(host),
    ...(isThisMachine(host) ? { tls: { rejectUnauthorized: false } } : {}),
    ...(auth ? { auth } : {}),
  };
}
