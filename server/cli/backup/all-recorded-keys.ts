/** Lists every file that the database names, of all modules. */
import type { Db } from "../../db/schema.ts";
import { recordedAvatarKeys } from "../../modules/accounts/avatars.ts";
import { recordedKeys } from "../../modules/files/blob-keys.ts";
import type { RecordedKey } from "../../storage/storage.ts";

export async function* allRecordedKeys(db: Db): AsyncGenerator<RecordedKey> {
  yield* recordedKeys(db);
  yield* recordedAvatarKeys(db);
}
