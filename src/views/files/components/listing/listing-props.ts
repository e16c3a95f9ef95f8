import type { useFileList } from "../../../../queries/file-lists/use-file-list.ts";
import type { FocusRequest } from "../use-focus-wish.ts";

/** What table and tiles are given. */
export interface ListingProps {
  list: ReturnType<typeof useFileList>;
  /** Which page of the history this is. */
  locationKey: string;
  focusRequest: FocusRequest | null;
  /** Somebody came here from a row: the keyboard goes on in the listing. */
  shouldTakeFocus: boolean;
}
