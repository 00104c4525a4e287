import type { Page } from 'playwright-core';

/**
 * Watches, frame by frame, each button that acts in an open dialog, and each of a page, from when it can first be pressed: a press
 * whose end meets another place than its beginning is none, or presses another button. What somebody does there may move it.
 */
export const watchButtons = `(() => {
  const boxes = new WeakMap();
  const touched = new WeakSet();
  const moved = new Map();
  let path;
  let rows;
  let since = 0;
  window.takeMovedButtons = () => { const all = [...moved.values()]; moved.clear(); return all; };
  const touch = ({ target }) => {
    for (const one of document.querySelectorAll('main')) touched.add(one);
    const dialog = target.closest?.('[role=dialog]');
    if (dialog) touched.add(dialog);
  };
  for (const type of ['pointerdown', 'keydown', 'input', 'touchstart']) addEventListener(type, touch, true);
  addEventListener('wheel', touch, true);
  addEventListener('resize', () => { for (const one of document.querySelectorAll('[role=dialog], main')) touched.add(one); });
  const compare = (button, corner = { x: 0, y: 0 }) => {
    const { x, y, width, height } = button.getBoundingClientRect();
    if (width === 0 || !button.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return;
    const box = [x - corner.x, y - corner.y, width, height].map(Math.round);
    const first = boxes.get(button) ?? box;
    boxes.set(button, first);
    if (first.some((one, index) => Math.abs(one - box[index]) > 1))
      moved.set(button, 'the button “' + (button.textContent || button.ariaLabel) + '” moves from ' + first + ' to ' + box);
  };
  const look = () => {
    for (const dialog of document.querySelectorAll('[role=dialog]')) {
      if (touched.has(dialog)) continue;
      for (const button of dialog.querySelectorAll('.ant-modal-footer :is(.ant-btn-primary, .ant-btn-dangerous):enabled'))
        compare(button);
    }
    const page = document.querySelector('main');
    if (page && path !== location.pathname) {
      path = location.pathname;
      since = performance.now();
      touched.delete(page);
      rows = undefined;
    }
    // What has not arrived after a second holds nothing up, and moves it.
    if (page?.querySelector('[data-arriving=true]') && performance.now() - since > 900) touched.add(page);
    if (page && !touched.has(page)) {
      // A list that was there has other rows now: something has happened.
      const now = page.querySelector('[data-arriving=true]')
        ? rows
        : [...page.querySelectorAll('li, tr')].map((row) => row.textContent).join();
      const buttons = page.querySelectorAll('button:enabled');
      if (now !== rows) for (const button of buttons) boxes.delete(button);
      rows = now;
      // In the page's own coordinates: it may be scrolled.
      for (const button of buttons) compare(button, page.getBoundingClientRect());
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})();`;

/** The buttons that have moved on a page since the last look. */
export const movedButtonsOn = (page: Page) =>
  page.evaluate('window.takeMovedButtons()') as Promise<readonly string[]>;
