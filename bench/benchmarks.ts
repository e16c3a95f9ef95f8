/** All benchmarks by name: the rows of the table in their order, and what runs only by name. */
import type { Benchmark } from "./lib/benchmark.ts";
import { echo } from "./rows/echo.ts";
import { fanOut } from "./rows/fan-out.ts";
import { files } from "./rows/files.ts";
import { firstLoad } from "./rows/first-load.ts";
import { history, historyGrowth } from "./rows/history.ts";
import { peaks } from "./rows/peaks.ts";
import { search } from "./rows/search.ts";
import { send } from "./rows/send.ts";
import { start } from "./rows/start.ts";
import { timeline } from "./rows/timeline.ts";
import { upload } from "./rows/upload.ts";
import { waveform } from "./rows/waveform.ts";
import { webhooks } from "./rows/webhooks.ts";

export const ROWS: readonly Benchmark[] = [history, historyGrowth, files, search, send, echo, fanOut, timeline, firstLoad, waveform, peaks, upload, webhooks, start];

/** Programs that print a table of their own. */
export interface Extra {
  name: string;
  title: string;
  module: string;
  args?: readonly string[];
}

export const EXTRAS: readonly Extra[] = [];
