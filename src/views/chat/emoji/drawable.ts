/** Finds out which emoji this platform can draw. */

/** Draws with the platform's emoji font. */
export interface Brush {
  /** Returns the width of a text in pixels. */
  measure(text: string): number;
  /** Returns whether a text is drawn in colors of its own instead of the text color. */
  isColored(text: string): boolean;
}

const SIZE_PX = 8;
/** Width of a sequence that is drawn as one emoji, relative to a plain emoji; one drawn in parts is about twice as wide. */
const MAX_RELATIVE_WIDTH = 1.5;
const PLAIN_EMOJI = "😀";

/** Returns a brush that draws on a canvas; null if the browser provides none. */
export function createBrush(): Brush | null {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIZE_PX;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) return null;
  context.font = `${SIZE_PX}px "Apple Color Emoji", "Segoe UI Emoji", "Noto Color Emoji", sans-serif`;
  context.textBaseline = "middle";
  context.fillStyle = "#f0f";
  return {
    measure: (text) => context.measureText(text).width,
    isColored(text) {
      context.clearRect(0, 0, SIZE_PX, SIZE_PX);
      context.fillText(text, 0, SIZE_PX / 2);
      const { data } = context.getImageData(0, 0, SIZE_PX, SIZE_PX);
      return Array.from({ length: SIZE_PX * SIZE_PX }, (_, pixel) => data.subarray(pixel * 4, pixel * 4 + 4)).some(
        ([red = 0, green = 0, blue = 0, alpha = 0]) => alpha > 128 && (green > 40 || red < 200 || blue < 200),
      );
    },
  };
}

/**
 * Returns the emoji that the brush draws as one colored glyph. Fonts add emoji by version, so one emoji decides for its version and one for all country
 * flags, which Windows lacks; sequences such as families are measured one by one. Without a color font, drawn and missing emoji look alike, so all are returned.
 */
export function selectDrawable<T extends { char: string; version: number }>(emoji: readonly T[], brush: Brush | null): readonly T[] {
  if (!brush?.isColored(PLAIN_EMOJI)) return emoji;
  const maxWidth = brush.measure(PLAIN_EMOJI) * MAX_RELATIVE_WIDTH;
  const drawsFlags = brush.isColored("🇪🇺");
  const samples = new Map(emoji.filter(({ char }) => !isSequence(char)).map(({ char, version }) => [version, char]));
  const drawnVersions = [...samples].filter(([, char]) => brush.isColored(char)).map(([version]) => version);
  const newestVersion = Math.max(...drawnVersions);
  return emoji.filter(({ char, version }) => {
    if (version > newestVersion) return false;
    return isFlag(char) ? drawsFlags : brush.measure(char) <= maxWidth;
  });
}

const isSequence = (char: string) => char.includes("\u200D") || isFlag(char);
const isFlag = (char: string) => /^\p{RI}/u.test(char);
