/** Gives files the text that processing would read from a document. */
import { storePages } from "../modules/files/document-pages.ts";
import { currentVersion } from "./files.ts";
import type { TestApp } from "./test-app.ts";

/** Replaces the text of the file's current version by these pages. */
export async function setPages(testApp: TestApp, fileId: number, texts: readonly string[]): Promise<void> {
  const { id } = await currentVersion(testApp, fileId);
  await storePages(
    testApp,
    id,
    texts.map((text, index) => ({ number: index + 1, source: "document", text })),
  );
  const facts = { state: "indexed" as const, reason: "", unit: "page" as const, page_count: texts.length, is_cut: 0 as const };
  await testApp.database.write((tx) =>
    tx
      .insertInto("document_texts")
      .values({ version_id: id, ...facts })
      .onConflict((conflict) => conflict.column("version_id").doUpdateSet(facts))
      .execute(),
  );
}
