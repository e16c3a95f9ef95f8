/** What one does with the folder that is open: at the end of the path. */
export function FolderActions() {
  return null;
}
