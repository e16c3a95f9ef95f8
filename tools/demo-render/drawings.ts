/** Generates the pictures of the demo as SVG: abstract covers in the product's colors. */
import { seededRandom } from "./synth/track.ts";

/** Width and height in pixels. */
const SIDE = 1_400;
const NIGHT = "#14151a";
const AMBER = "#f2b04a";

const svg = (body: string): string => `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}" viewBox="0 0 ${SIDE} ${SIDE}">${body}</svg>`;
const formatCoordinate = (value: number): string => value.toFixed(1);

/** Draws a waveform as a road at night, brightest around one point, under a lamp. */
export function nightdriveCover(): string {
  const random = seededRandom(7);
  const bars = Array.from({ length: 64 }, (_, n) => {
    const progress = n / 63;
    const height = 60 + 420 * Math.sin(Math.PI * progress) ** 2 * (0.35 + 0.65 * random());
    const x = 140 + progress * 1_120;
    const glow = Math.exp(-(((progress - 0.68) / 0.13) ** 2));
    return `<rect x="${formatCoordinate(x - 5)}" y="${formatCoordinate(820 - height / 2)}" width="10" height="${formatCoordinate(height)}" rx="5" fill="${AMBER}" opacity="${(0.12 + 0.88 * glow).toFixed(2)}"/>`;
  });
  return svg(
    `<defs><radialGradient id="g" cx="0.66" cy="0.3" r="0.8"><stop offset="0" stop-color="#3a3140"/><stop offset="0.5" stop-color="#1e1d25"/><stop offset="1" stop-color="${NIGHT}"/></radialGradient></defs>` +
      `<rect width="${SIDE}" height="${SIDE}" fill="url(#g)"/><circle cx="902" cy="392" r="118" fill="${AMBER}"/><circle cx="902" cy="392" r="190" fill="none" stroke="${AMBER}" stroke-opacity="0.25" stroke-width="3"/>${bars.join("")}`,
  );
}

/** Draws a paper moon over folded hills. */
export function paperMoonCover(): string {
  const hills = ["#8f7f6b", "#6d6057", "#4c4543", "#2d2b30"].map((color, n) => {
    const y = 760 + n * 150;
    const points = Array.from({ length: 8 }, (_, p) => `${p * 200},${formatCoordinate(y + 70 * Math.sin(p * 1.7 + n * 2.1))}`);
    return `<polygon points="0,${SIDE} ${points.join(" ")} ${SIDE},${SIDE}" fill="${color}"/>`;
  });
  return svg(
    `<rect width="${SIDE}" height="${SIDE}" fill="#ede3d3"/><circle cx="690" cy="500" r="270" fill="${AMBER}"/><path d="M690 230a270 270 0 0 1 0 540a330 330 0 0 0 0-540z" fill="#e09a2c"/>${hills.join("")}`,
  );
}

/** Draws rings on water, seen from a bridge. */
export function bridgeStill(): string {
  const rings = Array.from(
    { length: 14 },
    (_, n) =>
      `<ellipse cx="560" cy="760" rx="${40 + n * 74}" ry="${formatCoordinate(14 + n * 26)}" fill="none" stroke="#7fb3c8" stroke-width="${formatCoordinate(7 - n * 0.4)}" opacity="${(0.85 - n * 0.055).toFixed(2)}"/>`,
  );
  return svg(
    `<defs><linearGradient id="w" x2="0" y2="1"><stop offset="0" stop-color="#1b2b35"/><stop offset="1" stop-color="#0f151c"/></linearGradient></defs><rect width="${SIDE}" height="${SIDE}" fill="url(#w)"/>${rings.join("")}` +
      `<path d="M0 330q700 -250 1400 0v-90q-700 -250 -1400 0z" fill="#2c3a42"/><circle cx="560" cy="760" r="11" fill="${AMBER}"/>`,
  );
}
