import type { useFileList } from "../../../../queries/file-lists/use-file-list.ts";
import type { FocusRequest } from "../use-focus-wish.ts";

/** Props of both the table and the tiles. */
export interface ListingProps {
  list: ReturnType<typeof useFileList>;
  /** Identifies the history entry. */
  locationKey: string;
  focusRequest: FocusRequest | null;
  /** True if the user came here from a row, so that the listing takes the keyboard focus. */
  shouldTakeFocus: boolean;
}
