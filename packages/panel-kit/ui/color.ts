/** A color: hue in degrees, saturation and lightness in percent. */
export interface Hsl {
  readonly hue: number;
  readonly saturation: number;
  readonly lightness: number;
}
type Rgb = readonly [number, number, number];

/** Red, green and blue from 0 to 1. */
function rgbOf({ hue, saturation, lightness }: Hsl): Rgb {
  const s = saturation / 100;
  const l = lightness / 100;
  const channel = (n: number) => {
    const k = (n + hue / 30) % 12;
    return l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1));
  };
  return [channel(0), channel(8), channel(4)];
}

/** A color as #rrggbb. */
export function hexOf(color: Hsl): string {
  return `#${rgbOf(color)
    .map((part) =>
      Math.round(part * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

function luminanceOf(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two #rrggbb colors as WCAG counts it, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** The color, lighter or darker by as little as gives the wanted contrast on a background. */
export function legibleOn(background: string, color: Hsl, wanted: number): Hsl {
  const step = luminanceOf(background) < 0.18 ? 1 : -1;
  let lightness = color.lightness;
  while (lightness > 0 && lightness < 100 && contrast(hexOf({ ...color, lightness }), background) < wanted)
    lightness += step;
  return { ...color, lightness };
}
