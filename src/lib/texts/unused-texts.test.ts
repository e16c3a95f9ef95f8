/** Checks that every text of the catalog is used. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { AGENT_RUN_STATES } from "../../../contract/agent-task-records.ts";
import { ENTRY_KINDS } from "../../../contract/file-records.ts";
import { METADATA_FIELD_TYPES, METADATA_FILE_KINDS } from "../../../contract/metadata-records.ts";
import { SEARCH_KINDS } from "../../../contract/search-records.ts";
import { LEVELS } from "../../components/notifications/notification-level.ts";
import { PALETTE_SECTIONS } from "../../app/palette/palette-entry.ts";
import { NAMED_RULES } from "../../views/review/delivery/format-check.ts";
import { PRESETS } from "../../views/settings/delivery-rules/presets.ts";

const CATALOGS = globSync("src/lib/texts/*.ts").filter((path) => !path.endsWith(".test.ts") && !path.endsWith("define-texts.ts"));
const SOURCES = globSync("src/**/*.{ts,tsx}")
  .filter((path) => !path.startsWith("src/lib/texts/") && !path.endsWith(".test.ts"))
  .map((path) => readFileSync(path, "utf8"));

/** Texts that a value names, as in `t(kind)`: kinds of entries, types of fields, orders of a list, actions, and issues of an address. */
const NAMED_BY_VALUES: Record<string, readonly string[]> = {
  "connect.ts": ["malformed", "scheme", "credentials", "query", "host"],
  "dialogs.ts": PALETTE_SECTIONS,
  "search.ts": SEARCH_KINDS,
  "notification-level.ts": LEVELS.flatMap((level) => [level, `${level}Hint`]),
  "metadata-settings.ts": [...METADATA_FILE_KINDS, ...METADATA_FIELD_TYPES, ...METADATA_FIELD_TYPES.map((type) => `${type}Help`)],
  "delivery-check.ts": NAMED_RULES,
  "delivery-rules.ts": PRESETS.map(({ name }) => name),
  "agent-tasks.ts": AGENT_RUN_STATES,
  "files.ts": [...ENTRY_KINDS, "created", "open"],
};

test.each(CATALOGS)("%s: every text is used", async (path) => {
  const name = path.split("/").at(-1)!;
  const { t } = (await import(/* @vite-ignore */ `./${name}`)) as { t: { texts: Record<string, unknown> } };
  const importers = SOURCES.filter((source) => source.includes(`texts/${name}"`));
  const unused = Object.keys(t.texts).filter((key) => !NAMED_BY_VALUES[name]?.includes(key) && !importers.some((source) => source.includes(`"${key}"`)));
  expect(unused).toEqual([]);
});
