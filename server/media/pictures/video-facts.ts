/** Reads the facts of a video stream for the probe. */
import { AV_PKT_DATA_DISPLAYMATRIX } from "node-av/constants";
import { avGetCodecName, avGetPixFmtName, type Stream } from "node-av/lib";
import type { AVPixelFormat } from "node-av/constants";
import type { VideoFacts } from "../types.ts";

/** Reads the rotation from the display matrix that phones write: 16.16 fixed-point numbers whose a and b give the angle. */
export function readRotation(stream: Stream): VideoFacts["rotation"] {
  const matrix = stream.codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX);
  if (!matrix || matrix.length < 36) return 0;
  const angle = (Math.atan2(matrix.readInt32LE(4), matrix.readInt32LE(0)) * 180) / Math.PI;
  return ((((Math.round(angle / 90) * 90) % 360) + 360) % 360) as VideoFacts["rotation"];
}

export function videoFacts(stream: Stream, duration: number): VideoFacts {
  const { codecpar, avgFrameRate } = stream;
  const rotation = readRotation(stream);
  const isRotated = rotation === 90 || rotation === 270;
  const rate = avgFrameRate.den > 0 ? avgFrameRate.num / avgFrameRate.den : 0;
  return {
    encoding: avGetCodecName(codecpar.codecId) ?? "unknown",
    width: isRotated ? codecpar.height : codecpar.width,
    height: isRotated ? codecpar.width : codecpar.height,
    frameRate: Number(rate.toFixed(3)),
    rotation,
    pixelFormat: avGetPixFmtName(codecpar.format as AVPixelFormat) ?? "",
    duration,
  };
}
