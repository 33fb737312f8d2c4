const KEY = "tracklog.files";

/**
 * Loads the document again, in the hope of the files of a newer version. The address of this file contains the hash of
 * all files, so a version whose own file is at fault is loaded again only once.
 * @returns false when this version was loaded again before.
 */
export function loadNewerFiles(): boolean {
  if (sessionStorage.getItem(KEY) === import.meta.url) return false;
  sessionStorage.setItem(KEY, import.meta.url);
  location.reload();
  return true;
}
