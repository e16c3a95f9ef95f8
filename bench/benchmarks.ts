/** All benchmarks by name: the rows of the table in their order, and what runs only by name. */
import type { Benchmark } from "./lib/benchmark.ts";
import { archive } from "./rows/archive.ts";
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

export const ROWS: readonly Benchmark[] = [
  history,
  historyGrowth,
  files,
  search,
  send,
  echo,
  fanOut,
  timeline,
  firstLoad,
  waveform,
  peaks,
  upload,
  webhooks,
  start,
];

export const EXTRA_BENCHMARKS: readonly Benchmark[] = [archive];

/** Programs that print a table of their own. */
interface Program {
  name: string;
  title: string;
  module: string;
  args?: readonly string[];
}

export const EXTRA_PROGRAMS: readonly Program[] = [
  {
    name: "notifications",
    title: "a comment on a file that 300 and 2,000 people watch, against bare inserts",
    module: "bench/notifications/comment.ts",
    args: ["12"],
  },
  { name: "documents", title: "a PDF of 1,000 pages from upload to index, and searches in it, against an index alone", module: "bench/documents/service.ts" },
  { name: "webhooks-hanging", title: "webhook latency beside 40 requests that hang, against the latency alone", module: "bench/webhooks/hanging.ts" },
  { name: "abuse", title: "21 attacks of a guest or a stranger, and what others notice of them", module: "bench/abuse/service.ts" },
  { name: "memory", title: "memory of the browser's page with an hour of audio", module: "bench/page/memory.ts" },
  { name: "formats", title: "sample counts, loudness and peaks of 20 formats, against ffmpeg", module: "bench/media/compare-ffmpeg.ts" },
  { name: "music", title: "tempo and key of 128 rendered songs, against the truth", module: "bench/media/music.ts", args: ["heldout"] },
];
