import { useEffect, useEffectEvent, useState } from "react";
import type { Upload } from "../../queries/uploads/upload.ts";
import { addSample, NO_RATE, speedOf, type Rate } from "../uploads/rate.ts";

const SAMPLE_INTERVAL_MS = 1_000;

/** Returns the upload speed in bytes per second, or null while unknown. */
export function useRate(uploads: readonly Upload[], moving: boolean): number | null {
  const [rate, setRate] = useState<Rate>(NO_RATE);
  const takeSample = useEffectEvent(() => setRate((before) => addSample(before, uploads, performance.now())));
  useEffect(() => {
    if (!moving) return;
    const timer = setInterval(() => takeSample(), SAMPLE_INTERVAL_MS);
    return () => {
      clearInterval(timer);
      setRate(NO_RATE);
    };
  }, [moving]);
  return speedOf(rate);
}
