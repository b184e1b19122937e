import { useMemo } from 'react';
import { HistoryPage } from '../lobby/HistoryPage';
import { Lobby } from '../lobby/Lobby';
import { NewTable } from '../lobby/NewTable';
import { RulesPage } from '../lobby/RulesPage';
import { SettingsPage } from '../lobby/SettingsPage';
import { SharedDeal } from '../lobby/SharedDeal';
import { ReviewPage } from '../review/ReviewPage';
import type { Route } from '../state/router';
import { StatisticsPage } from '../statistics/StatisticsPage';
import { TablePage } from '../table/TablePage';
import { t } from '../texts';
import { LiveRegion } from '../ui/LiveRegion';
import { Notice } from '../ui/Notice';
import { type House, HouseContext } from './context';
import { useGames } from './useGames';
import { useRoute } from './useRoute';
import { useSettings } from './useSettings';
import { useVoice } from './useVoice';

export function App() {
  const route = useRoute();
  const { settings, change, local, changeLocal } = useSettings();
  const { games, refreshGames, setGame, away } = useGames();
  const { announce, notify, told, notice } = useVoice();
  const house = useMemo<House>(
    () => ({
      settings,
      change,
      local,
      changeLocal,
      games,
      refreshGames,
      setGame,
      announce,
      notify,
    }),
    [settings, change, local, changeLocal, games, refreshGames, setGame, announce, notify],
  );
  return (
    <HouseContext value={house}>
      <button type="button" className="skip-link" onClick={skipToMain}>
        {t('page.skip')}
      </button>
      {away && games === null && (
        <p className="away" role="status">
          {t('problem.waiting')}
        </p>
      )}
      <Page route={route} />
      <Notice notice={notice} />
      <LiveRegion told={told} />
    </HouseContext>
  );
}

function Page({ route }: { readonly route: Route }) {
  switch (route.at) {
    case 'lobby':
      return <Lobby />;
    case 'new':
      return <NewTable key={route.game} name={route.game} />;
    case 'table':
      return <TablePage key={route.table} table={route.table} token={route.token} />;
    case 'review':
      return <ReviewPage key={`${route.table}.${route.deal}`} {...route} />;
    case 'deal':
      return <SharedDeal key={route.deal} letters={route.deal} />;
    case 'rules':
      return <RulesPage name={route.game} />;
    case 'settings':
      return <SettingsPage />;
    case 'history':
      return <HistoryPage />;
    case 'statistics':
      return <StatisticsPage />;
  }
}

/** The hash is the route, so this is a button and no link. */
function skipToMain(): void {
  document.querySelector<HTMLElement>('main')?.focus();
}
