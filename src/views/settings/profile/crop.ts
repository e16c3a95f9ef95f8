/** Models the square that is cut out of a picture: its position and side in pixels of the picture. */

export interface Size {
  width: number;
  height: number;
}

export interface Crop {
  left: number;
  top: number;
  side: number;
}

export const MAX_ZOOM = 4;

const clamp = (value: number, max: number): number => Math.min(Math.max(0, value), Math.max(0, max));

/** Returns the largest square, in the middle. */
export function createCrop({ width, height }: Size): Crop {
  const side = Math.min(width, height);
  return { left: (width - side) / 2, top: (height - side) / 2, side };
}

/** Moves the square by pixels of the picture, up to the picture's edges. */
export const moveCrop = ({ width, height }: Size, { left, top, side }: Crop, dx: number, dy: number): Crop => ({
  left: clamp(left + dx, width - side),
  top: clamp(top + dy, height - side),
  side,
});

export const zoomOf = ({ width, height }: Size, { side }: Crop): number => Math.min(width, height) / side;

/** Changes the zoom, 1 to `MAX_ZOOM`, around the middle of the square. */
export function zoomCrop(size: Size, crop: Crop, zoom: number): Crop {
  const side = Math.min(size.width, size.height) / Math.min(Math.max(1, zoom), MAX_ZOOM);
  const shift = (crop.side - side) / 2;
  return moveCrop(size, { left: crop.left + shift, top: crop.top + shift, side }, 0, 0);
}
