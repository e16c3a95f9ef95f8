/** Why a model gave no answer, as a sentence for people who see the run. It never contains what the model's service wrote, which may repeat the key. */
export class ModelError extends Error {
  /** null: asking again does not help. */
  readonly retry: { afterMs: number } | null;

  constructor(message: string, retry: { afterMs: number } | null = null) {
    super(message);
    this.name = "ModelError";
    this.retry = retry;
  }
}
