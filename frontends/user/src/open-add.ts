/** Asks the proxy page, for this session alone, to open the add dialog. */
const key = 'open-add-proxy';

export function askToAddProxy(): void {
  sessionStorage.setItem(key, 'true');
}

/** Whether the add dialog was asked for; asking is over then. */
export function takeAddProxyRequest(): boolean {
  const asked = sessionStorage.getItem(key) !== null;
  sessionStorage.removeItem(key);
  return asked;
}
