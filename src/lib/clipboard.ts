/** Copies text to the clipboard. Resolves to false where there is none, as on plain HTTP, and where permission is denied. */
export async function copyToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
