import { cleanName, nameKey } from "../../../../contract/text.ts";

/** An option of a choice in the form; a new one has no id yet. */
export interface OptionDraft {
  /** Identifies the option's row while the form is open. */
  key: number;
  id?: string;
  name: string;
}

/** Returns the keys of options whose name an earlier option has, in any case; options without a name are left out when the form is sent. */
export function findTakenOptions(options: readonly OptionDraft[]): ReadonlySet<number> {
  const names = new Set<string>();
  const taken = new Set<number>();
  for (const { key, name } of options) {
    const comparable = nameKey(cleanName(name));
    if (comparable !== "" && names.has(comparable)) taken.add(key);
    names.add(comparable);
  }
  return taken;
}
