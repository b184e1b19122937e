import type { NoticeShown } from '../app/useVoice';

/** One short line over the page; the live region tells it, so it is silent itself. */
export function Notice({ notice }: { readonly notice: NoticeShown | null }) {
  if (!notice) return null;
  return (
    <div key={notice.id} className={`notice ${notice.kind}`} aria-hidden="true">
      {notice.text}
    </div>
  );
}
