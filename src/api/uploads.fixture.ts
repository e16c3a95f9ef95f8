/** Runs uploads against a service in memory, on a clock that the test controls. */
import { afterEach, beforeAll, beforeEach, vi } from "vitest";
import { createApi } from "./http.ts";
import { createTusService } from "./tus-service.fixture.ts";
import { startUpload, type UploadInput } from "./uploads.ts";

export const CHUNK_BYTES = 16 * 1024 * 1024;
export const ID = (number: number) => String(number).padStart(32, "0");
export const url = (number: number) => `/api/v2/uploads/${ID(number)}`;

/** The service of the current test. */
// oxlint-disable-next-line import/no-mutable-exports -- each test has its own
export let service: ReturnType<typeof createTusService>;

/** Sets up the environment before each test of a file. */
export function setUpUploads(): void {
  // Importing takes real time.
  beforeAll(() => import("tus-js-client"));
  beforeEach(() => {
    vi.stubGlobal("location", { origin: "https://talkback.test" });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] });
    service = createTusService();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
}

/** Starts an upload and records what its listener receives. */
export function start({ file = new Blob(["0123456789"]), ...input }: Partial<UploadInput> = {}, api = createApi()) {
  const calls: string[] = [];
  const progress: number[] = [];
  /** Holds the storing of the URL. */
  const storing = { until: Promise.resolve() };
  const transfer = startUpload(
    api,
    { file, name: "mix.wav", projectId: 3, accountId: 5, target: null, url: null, ...input },
    {
      created(createdUrl) {
        calls.push(`created ${createdUrl}`);
        return storing.until;
      },
      progress: (sent) => void progress.push(sent),
      retrying: (reason) => void calls.push(reason === null ? "retrying" : `retrying: ${reason}`),
      done: ({ fileId }) => void calls.push(`done ${fileId}`),
      failed: (reason) => void calls.push(`failed: ${reason}`),
      unreadable: () => void calls.push("unreadable"),
    },
  );
  return { calls, progress, storing, ...transfer };
}

/** Advances the clock in steps, so that work outside of timers runs too. */
export async function advance(milliseconds: number): Promise<void> {
  const step = Math.max(50, milliseconds / 100);
  for (let passed = 0; passed < milliseconds; passed += step) {
    await vi.advanceTimersByTimeAsync(step);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
/** Advances the clock until the condition holds. */
export async function until(condition: () => boolean): Promise<void> {
  for (let step = 0; !condition(); step += 1) {
    if (step > 5_000) throw new Error(`Nothing happened after ${service.requests.join(", ")}`);
    await advance(50);
  }
}
export const storedText = (number = 1) => new Blob(service.uploads.get(ID(number))!.chunks).text();
/** Makes the next requests with this method fail, one failure each. */
export function failNext(method: string, ...failures: ReturnType<typeof service.failure>[]): void {
  service.failure = (request) => (request.method === method ? (failures.shift() ?? null) : null);
}
