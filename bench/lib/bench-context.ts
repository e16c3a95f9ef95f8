/** What a benchmark gets from its run. `context.ts` implements it. */
import type { Browser } from "@playwright/test";
import type { ServiceProcess } from "../../server/testing/service-process.ts";
import type { DataSet } from "../data/data-set.ts";
import type { Helper } from "./helper.ts";
import type { LoadCalls } from "./load-process.ts";

export interface UploadedHour {
  id: number;
  /** The uploaded file, which stays until the end of the run. */
  path: string;
  /** Of the audio. */
  seconds: number;
  /** From the end of the upload to the end of processing, with the streaming copy. */
  processingSeconds: number;
}

export type Steps<K extends string, T> = Record<K, (round: number) => Promise<T>>;

export interface BenchContext {
  /** Removed at the end. */
  folder: string;
  isQuick: boolean;
  /** Prints one line of progress. */
  log(step: string): void;
  /** Calls `end` at the end of the run, the last one first. */
  onEnd(end: () => unknown): void;
  /** Fewer if the run is quick. */
  rounds(count: number): number;
  seconds(seconds: number): number;
  /** Runs the steps one after the other, `rounds` times, so that other load on the machine affects all alike. Returns the results of each step. */
  inTurn<K extends string, T>(rounds: number, steps: Steps<K, T>): Promise<Record<K, T[]>>;
  data(): Promise<DataSet>;
  /** The service over the data set. */
  service(): Promise<ServiceProcess>;
  /** Starts a helper process that ends with the run. */
  // oxlint-disable-next-line typescript/no-explicit-any -- each helper has its own calls
  helper<C extends Record<string, (input: any) => unknown>>(file: URL): Promise<Helper<C>>;
  /** The process that sends requests. */
  load(): Promise<Helper<LoadCalls>>;
  browser(): Promise<Browser>;
  /** An hour of stereo WAV (quick: two minutes), uploaded to the library and processed. */
  hour(): Promise<UploadedHour>;
}
