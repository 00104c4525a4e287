const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is already in use by another process',
  EACCES: 'requires root',
  EADDRNOTAVAIL: 'cannot be opened, because this machine does not have that address',
};

/**
 * Opens a port, and says of one that cannot be opened which setting chose it.
 * @param setting names the port
 * @throws Error naming setting, host and port
 */
export async function listening<T>(
  setting: string,
  { host, port }: { readonly host: string; readonly port: number },
  open: () => PromiseLike<T>,
): Promise<T> {
  try {
    return await open();
  } catch (cause) {
    const { syscall, code = '' } = cause as NodeJS.ErrnoException;
    if (syscall !== 'listen' && syscall !== 'getaddrinfo') throw cause;
    const reason = reasons[code] ?? 'cannot be opened';
    throw new Error(`${setting}: port ${port} on ${host} ${reason} (${code})`, { cause });
  }
}
