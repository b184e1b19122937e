import { useSyncExternalStore } from 'react';
import { hashOf, parseRoute, type Route } from '../state/router';

function subscribe(changed: () => void): () => void {
  window.addEventListener('hashchange', changed);
  return () => window.removeEventListener('hashchange', changed);
}

const currentHash = () => window.location.hash;

/** The route in the address bar. */
export function useRoute(): Route {
  return parseRoute(useSyncExternalStore(subscribe, currentHash));
}

export function goTo(route: Route): void {
  window.location.hash = hashOf(route);
}

/** Goes to a route without a step back to this one: a secret leaves the address bar. */
export function replaceWith(route: Route): void {
  window.history.replaceState(null, '', hashOf(route));
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}
