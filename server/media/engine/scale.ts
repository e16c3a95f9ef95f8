/** Converts the size and pixel format of decoded video frames. */
import { AV_PIX_FMT_RGB24, type AVPixelFormat, SWS_BILINEAR } from "node-av/constants";
import { Frame, SoftwareScaleContext } from "node-av/lib";
import { MediaFailure } from "../failure.ts";
import { check } from "./av.ts";

/** A frame larger than this in either direction is rejected before its memory is allocated. */
const MAX_SIDE = 16_384;

/** Returns the largest even size that fits the box and keeps the aspect ratio, never larger than the frame. */
export function fitInside(width: number, height: number, boxWidth: number, boxHeight: number): { width: number; height: number } {
  if (width < 1 || height < 1 || width > MAX_SIDE || height > MAX_SIDE) throw new MediaFailure("not-supported", `picture of ${width} x ${height}`);
  const factor = Math.min(1, boxWidth / width, boxHeight / height);
  const even = (side: number): number => Math.max(2, 2 * Math.round((side * factor) / 2));
  return { width: even(width), height: even(height) };
}

export class Scaler {
  #context: SoftwareScaleContext | null = null;
  #from = "";
  readonly #out = new Frame();
  readonly #width: number;
  readonly #height: number;
  readonly #format: AVPixelFormat;

  constructor(width: number, height: number, format: AVPixelFormat = AV_PIX_FMT_RGB24) {
    this.#width = width;
    this.#height = height;
    this.#format = format;
    this.#out.alloc();
  }

  /** Returns a frame that the next call reuses. */
  scale(frame: Frame): Frame {
    const formatKey = `${frame.width}x${frame.height}/${frame.format}`;
    if (formatKey !== this.#from) {
      this.#context?.freeContext();
      this.#context = new SoftwareScaleContext();
      this.#context.getContext(frame.width, frame.height, frame.format as AVPixelFormat, this.#width, this.#height, this.#format, SWS_BILINEAR);
      this.#from = formatKey;
    }
    const out = this.#out;
    out.unref();
    out.format = this.#format;
    out.width = this.#width;
    out.height = this.#height;
    check(out.getBuffer(), "picture memory");
    check(this.#context!.scaleFrameSync(out, frame), "scale");
    return out;
  }

  free(): void {
    this.#out.free();
    this.#context?.freeContext();
  }
}

/** Returns tightly packed RGB bytes without the row padding of frames. */
export function packedRgb(frame: Frame): Buffer {
  const { width, height } = frame;
  const stride = frame.linesize[0]!;
  const data = frame.data![0]!;
  const out = Buffer.alloc(width * height * 3);
  for (let row = 0; row < height; row++) data.copy(out, row * width * 3, row * stride, row * stride + width * 3);
  return out;
}
