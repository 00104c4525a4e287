/** The nonce of this page: the browser hides it from the attribute, but not from the property. */
export function styleNonce(): string {
  return document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
}

/**
 * Lets every style element made by script carry the page's nonce. antd takes it from its provider, but two
 * of its parts (scroll lock, scrollbar measure) add styles without it.
 */
export function nonceForStyles(): void {
  const nonce = styleNonce();
  const createElement = document.createElement.bind(document);
  document.createElement = (name: string, options?: ElementCreationOptions) => {
    const element = createElement(name, options);
    if (name.toLowerCase() === 'style') element.nonce = nonce;
    return element;
  };
}
