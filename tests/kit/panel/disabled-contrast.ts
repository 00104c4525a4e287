import type { Page } from 'playwright-core';

/**
 * Texts of disabled controls with too little contrast. axe leaves them out, as WCAG does; but a disabled button still
 * says which plan is the current one, and a field that is being saved what is saved.
 */
const faintTexts = `(() => {
  const least = 4.5;
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  // The browser itself mixes colors, however they are written.
  const seen = (layers) => {
    canvas.globalAlpha = 1;
    canvas.fillStyle = 'white';
    canvas.fillRect(0, 0, 1, 1);
    for (const { color, opacity } of layers) {
      canvas.globalAlpha = opacity;
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
    }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const luminance = (rgb) => rgb.map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
  const behind = (one) => {
    const around = [];
    for (let each = one; each; each = each.parentElement) around.unshift(getComputedStyle(each));
    let opacity = 1;
    const layers = around.map((style) => {
      opacity *= Number(style.opacity);
      return { color: style.backgroundColor, opacity };
    });
    return { layers, opacity };
  };
  const ratio = (one, color) => {
    const { layers, opacity } = behind(one);
    const [dark, light] = [luminance(seen(layers)), luminance(seen([...layers, { color, opacity }]))]
      .sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };
  const ownText = (one) => [...one.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
    .map(({ data }) => data.trim()).join(' ').trim();
  const shown = (one) => one.checkVisibility({ visibilityProperty: true }) && one.offsetWidth > 1;
  const disabled = [...document.querySelectorAll(':disabled, [aria-disabled=true], [class*="-disabled"]')];
  const parts = new Set(disabled.flatMap((one) => [one, ...one.querySelectorAll('*')]).filter(shown));
  return [...parts].flatMap((one) => {
    const text = ownText(one) || one.value || one.placeholder;
    if (!text || one.type === 'checkbox' || one.type === 'radio') return [];
    const isHint = !ownText(one) && !one.value;
    const found = ratio(one, getComputedStyle(one, isHint ? '::placeholder' : null).color);
    return found < least ? ['disabled text at ' + found.toFixed(2) + ':1: ' + String(text).slice(0, 60)] : [];
  });
})()`;

export const faintDisabledOn = (page: Page) => page.evaluate(faintTexts) as Promise<string[]>;
