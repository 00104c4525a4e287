import type { Page } from 'playwright-core';

const brokenHosts = `[...document.querySelectorAll('[role=dialog]')].filter((one) => one.checkVisibility()).flatMap((dialog) => {
  const faults = [];
  const texts = document.createTreeWalker(dialog, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode;
    if (node.parentElement.closest('pre, code, textarea, script, style')) continue;
    for (const { 0: host, index } of node.data.matchAll(/[a-z0-9-]+(?:\\.[a-z0-9-]+){2,}/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + host.length);
      const lines = [...range.getClientRects()];
      const needed = lines.reduce((sum, { width }) => sum + width, 0);
      let block = node.parentElement;
      while (getComputedStyle(block).display === 'inline') block = block.parentElement;
      if (lines.length > 1 && needed < block.clientWidth) faults.push('breaks the host name ' + host);
    }
  }
  return faults;
})`;

/**
 * Host names in an open dialog that are broken though they fit into one line. Browsers break them after a hyphen, and
 * half a host name looks like a whole one.
 */
export const brokenHostsOn = (page: Page): Promise<string[]> => page.evaluate(brokenHosts);
