import { useCallback, useEffect, useRef, useState } from 'react';
import { DEFAULT_LOCAL, DEFAULT_SETTINGS, keep, merged, readKept } from '../state/settings';
import type { Settings } from '../wire';
import { service } from '../wire/client';
import { browserStorage } from '../wire/keeping';

const KEPT = 'overtrick.settings';
const KEPT_LOCAL = 'overtrick.local';

/** The person's settings: those of the browser at once, those of the service when they come. */
export function useSettings() {
  const storage = browserStorage();
  const [settings, setSettings] = useState(() => readKept(storage, KEPT, DEFAULT_SETTINGS));
  const [local, setLocal] = useState(() => readKept(storage, KEPT_LOCAL, DEFAULT_LOCAL));
  const touched = useRef(false);

  useEffect(() => {
    service.settings().then(
      (told) => {
        if (!touched.current) setSettings(merged(DEFAULT_SETTINGS, told));
      },
      () => undefined, // The browser's copy has to do.
    );
  }, []);

  const change = useCallback(
    (patch: Partial<Settings>) => {
      touched.current = true;
      setSettings((before) => {
        const after = { ...before, ...patch };
        keep(storage, KEPT, after);
        return after;
      });
    },
    [storage],
  );

  useEffect(() => {
    if (!touched.current) return;
    const timer = setTimeout(() => service.keepSettings(settings).catch(() => undefined), 300);
    return () => clearTimeout(timer);
  }, [settings]);

  const changeLocal = useCallback(
    (patch: Partial<typeof DEFAULT_LOCAL>) => {
      setLocal((before) => {
        const after = { ...before, ...patch };
        keep(storage, KEPT_LOCAL, after);
        return after;
      });
    },
    [storage],
  );

  useEffect(() => {
    document.documentElement.dataset.scheme = local.scheme;
  }, [local.scheme]);

  return { settings, change, local, changeLocal };
}
