// The link from /machine/ to /write/: the reader's profile becomes a new file of the book, for its
// gallery of machines.
import { json_of, ProfileStore } from "../profile/profile.js";

const is_profile = (file) => /^figures\/profiles\/[a-z][a-z0-9-]*\.json$/.test(file);

/**
 * Saves the reader's profile as a draft of `file`, if that is the path of a profile and has no
 * draft.
 */
export async function begin_profile(drafts, file) {
  const { profile } = new ProfileStore().load_own();
  if (!profile || !is_profile(file) || (await drafts.load(file))) return;
  await drafts.keep(file, json_of(profile));
}
