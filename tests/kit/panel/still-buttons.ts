import type { Page } from 'playwright-core';

/**
 * Watches, frame by frame, each button of an open dialog that acts from when it can first be pressed: a press whose end meets another
 * place than its beginning is none. What a person does in the dialog may move it.
 */
export const watchButtons = `(() => {
  const boxes = new WeakMap();
  const touched = new WeakSet();
  const moved = new Map();
  window.takeMovedButtons = () => { const all = [...moved.values()]; moved.clear(); return all; };
  const touch = ({ target }) => { const dialog = target.closest?.('[role=dialog]'); if (dialog) touched.add(dialog); };
  for (const type of ['pointerdown', 'keydown', 'input', 'wheel', 'touchstart']) addEventListener(type, touch, true);
  addEventListener('resize', () => { for (const one of document.querySelectorAll('[role=dialog]')) touched.add(one); });
  const look = () => {
    for (const dialog of document.querySelectorAll('[role=dialog]')) {
      if (touched.has(dialog)) continue;
      for (const button of dialog.querySelectorAll('.ant-modal-footer :is(.ant-btn-primary, .ant-btn-dangerous):enabled')) {
        const { x, y, width, height } = button.getBoundingClientRect();
        if (width === 0 || !button.checkVisibility({ visibilityProperty: true })) continue;
        const box = [x, y, width, height].map(Math.round).join();
        const first = boxes.get(button) ?? box;
        boxes.set(button, first);
        if (first.split(',').some((one, index) => Math.abs(one - box.split(',')[index]) > 1))
          moved.set(button, 'the button “' + button.textContent + '” moves from ' + first + ' to ' + box);
      }
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})();`;

/** The buttons that have moved on a page since the last look. */
export const movedButtonsOn = (page: Page) =>
  page.evaluate('window.takeMovedButtons()') as Promise<readonly string[]>;
