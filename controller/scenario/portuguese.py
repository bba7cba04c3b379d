"""The Portuguese words of the scenarios' language, each with the English word that it stands for.

A word that has no Portuguese one here (a guard, a clause, a notice, a word of the wheel or the jackpot) is written as
in FORMAT.md. Where two Portuguese words stand for one English word the first is the one that messages use.
"""

from typing import Final

_PARTS: Final = """
    cenário scenario; regras rules; cláusulas clauses; perfil profile; prémio prize; definir set;
    dado given; quando when; então then
"""
_PEOPLE: Final = """
    pagador dealer; segundo-pagador second-dealer; fiscal-chefe chief; segundo-fiscal-chefe second-chief;
    chefia-da-sala manager; técnico technician; fiscal-de-banca inspector; serviço-de-inspeção regulator;
    fiscal_chefe chief_supervisor; fiscal_de_banca table_inspector; chefia_da_sala room_manager
"""
_STEPS: Final = """
    misturado mixed; carregamento loading; pacote packet; carregado loaded; em-jogo in-play; corte cut; cheio filled;
    queimar burn; novo-sabot new-shoe; apostas bets; distribuir deal; tirar draw; pedir hit; banca-pede hit-bank;
    mostrar show; pagar settle; recolher collect; introduzir put-back; jogada round; extração unloading;
    extrair unload; extraído unloaded; encerrar close; grelha grid; grelha-sem grid-lacks; grelha-a-mais grid-has;
    grelha-com grid-with; terminar-paragem end-hold; terminar-encravamento end-jam; entrada feed; carta-entra card-in;
    carta-sai card-out; conta-saída count-out; lê read; tirar-sem-ler draw-unread; carta-aviso warning-card;
    encravamento jam; caminho-livre path-clear; caminho-tapado path-blocked; cartas-na-entrada hopper-loaded;
    entrada-vazia hopper-empty; continua-encravado keeps-jammed; não-se-conta keeps-its-count;
    tampa-aberta lid-open; tampa-fechada lid-closed; perdido lost; voltou back; reserva spare; recomeço restart;
    recomeço-sem-aparelhos restart-alone; diário-falha journal-fails; diário-escreve journal-writes; esperar wait;
    falta missing; a-mais extra; desaparece vanish; intrusa slip-in; aposta bet; aposta-paralela side-bet;
    segurar insure; pagamento-igual even-money; desistir surrender; parar stand; separar split; dobrar double;
    cinco-cartas five-cards; jogadores-acabam players-done; banca-joga bank-plays
"""
_FACTS: Final = """
    recusado refused; permitido allowed; pode may; não-pode may-not; partida session; jogada-está round-is;
    jogadas rounds; reclamações complaints; anuladas voided; dito told; não-dito not-told; presente present;
    ausente absent; paragem hold; sem-paragem no-hold; dever duty; sem-dever no-duty; encerramento closing;
    relatório report; parâmetro parameter; configuração-recusada configuration-refused;
    configuração-aceite configuration-accepted; deve-se owed; fora outside; dentro inside; descarte rack; mesa table;
    queimadas burnt; pendentes pending; encravadas jammed; na-mão in-hand; retiradas withdrawn; estranhas foreign;
    total total; pacotes packets; carregamentos loads; carregamentos-falhados failed-loads; cartas-queimadas burned;
    tiradas drawn; encravamentos jams; correções corrections; à-parte set-aside; decisão ruling; cartas cards;
    pontos points; banca bank; corte-oferecido cut-offered; carta-aviso-esperada warning-expected;
    carta-aviso-medida warning-measured; carta-aviso-desvio warning-deviation; sabot-acabado shoe-over; boca mouth;
    lâmpada lamp; vez turn; mãos hands; aposta-em bet-on; saldo net; saldo-do-apostador bettor-net; casa house;
    casa-total house-total; paga-se pays; assinalado flagged; não-assinalado not-flagged
"""
_THINGS: Final = """
    ligada on; acesa on; destrancada on; desligada off; apagada off; trancada off; sim yes; não no; nada nothing;
    lugar seat; lugares seats; carta-da-banca hole; voltada-para-baixo hidden; não-lida unread; carrossel carousel;
    baralhador shuffler; sabot shoe;
    encerrada closed; aberta opened; exibido displayed; reunido gathered; retirada taking-out; conferência checking;
    sem-jogada idle; apostas-abertas betting; distribuição dealing; em-curso playing; paga settled; recolhida collected;
    introdução putting-back;
    tampa lid; contagem count; quantidade count; carta-inesperada unexpected-card; carta-não-lida unread-card;
    carta-danificada damaged-card; aparelho-perdido device-lost; reclamação complaint;
    fiscal-chefe-ausente supervisor-absent; jackpot-por-pagar jackpot-owed; jackpot-em-dúvida jackpot-doubted;
    falha-do-diário journal-fault; golpe-irregular irregular-spin;
    fichas-desmarcadas moved-chips; começada raised; atendida attended; resolvida cleared; terminada ended;
    comunicar-encerramento-irregular report-irregular-closing;
    comunicar-reclamação-por-decidir report-undecided-complaint; esclarecer-pin look-into-wrong-pins;
    esclarecer-visor look-into-display; esclarecer-selos look-into-seals;
    esclarecer-mostrador look-into-markers;
    nenhum none; regular regular; irregular irregular; final final; provisório provisional;
    continuar continue; anular-jogada round-void; aparelho-de-reserva spare-device;
    aparelho-de-reserva-com-cartas-novas spare-device-cards-replaced; carta-descartada card-discarded;
    carta-para-o-seguinte card-to-next; vez-devolvida turn-given-back;
    avaria device-malfunction; distribuição-sem-remédio deal-beyond-repair; contestação dispute;
    sem-mudança unchanged; acabada finished;
    começou-paragem hold-raised; terminou-paragem hold-ended; decisão-tomada ruling-made; surgiu-dever duty-opened;
    tipo kind; função role
"""
_VALUES: Final = """
    operação operation; conjunto deck_set; contadas counted; baralho deck; passagens passes; atrás behind; mão hand;
    posição position; carta card; vista seen; origem source; destino target; na_mão in_hand; referência reference;
    procedente upheld; ficou became; substituta replacement; contagens counts; dorso back; causa cause;
    resultado outcome; montante amount; apostador bettor; consentimento consent; outros others; aceite accepted;
    palavras words
"""
_ACTS: Final = """
    entrar sign-in; sair sign-out; abrir-partida open-session; numerar-conjunto number-deck-set;
    confirmar-exibição confirm-display; confirmar-mistura confirm-mixing; confirmar-contagem confirm-count;
    baralhar shuffle-deck; indicar-jogadores state-players; recusar-corte refuse-cut; confirmar-corte confirm-cut;
    colocar-carta-aviso place-warning-card; encher-sabot fill-shoe; confirmar-carta-dada confirm-card-dealt;
    comunicar-carta-aviso report-warning-card; anunciar-última-jogada announce-last-round;
    retirar-cartas gather-cards; estender-cartas spread-cards; começar-carregamento begin-loading;
    abrir-pacote open-packet; fechar-pacote close-packet; completar-carregamento complete-loading;
    retirar-carregamento take-out-loading; confirmar-retirada confirm-taken-out; desistir-da-abertura abandon-opening;
    aceitar-apostas take-bets; cancelar-apostas cancel-bets; anunciar-nada-mais announce-no-more-bets;
    pedir-carta draw-card; voltar-carta-da-banca turn-hole-card; voltar-carta turn-card; indicar-carta state-card;
    confirmar-pagamentos confirm-settled; recolher-mão collect-hand; recolher-cartas collect-cards;
    começar-introdução begin-putting-back; terminar-introdução end-putting-back; deixar-no-descarte leave-in-rack;
    registar-aposta place-bet; devolver-aposta withdraw-bet; registar-aposta-paralela place-side-bet;
    retirar-aposta-paralela take-side-bet-down; aceitar-pagamento-igual take-even-money; separar-par split-pair;
    dobrar-aposta double-down; reclamar-cinco-cartas claim-five-cards; decidir-montante decide-amount;
    comunicar-carta-por-engano report-misdealt; passar-carta move-card;
    comunicar-carta-da-banca-vista report-hole-exposed; comunicar-carta-a-mais report-extra-card;
    comunicar-carta-voltada report-face-up-card; desmentir-carta retract-card; corrigir-carta rename-card;
    pedir-contagem call-for-count; pedir-decisão call-for-ruling; decidir make-ruling; atender-paragem attend-hold;
    chamar-técnico call-technician; atestar-reparação attest-repair; resolver-paragem clear-hold;
    confirmar-paragem confirm-hold; declarar-cartas-movidas state-cards-moved; declarar-contagem state-count;
    declarar-contagem-total state-whole-count; declarar-interrupção state-outage;
    confirmar-interrupção confirm-outage; nomear-carta name-card; comunicar-carta-danificada report-damaged-card;
    substituir-carta replace-card; registar-autorização record-authorisation; substituir-baralho replace-deck;
    registar-reclamação record-complaint; decidir-reclamação decide-complaint; cumprir-dever report-duty;
    indicar-encerramento indicate-closing; começar-extração begin-unloading; completar-extração complete-unloading;
    registar-cartas enter-cards; registar-grelha enter-grid; confirmar-conferência confirm-deck-check;
    propor-encerramento-irregular propose-irregular-closing; confirmar-encerramento-irregular confirm-irregular-closing
"""
_KINDS: Final = """
    NÚMERO NUMBER; SEGUNDOS SECONDS; LUGAR SEAT; CARTA CARD; MUDANÇA CHANGE; FACE FACE; SÍTIO PLACE; APARELHO DEVICE;
    PARTIDA SESSION; JOGADA ROUND; PARAGEM HOLD; FASE PHASE; DEVER DUTY; ENCERRAMENTO CLOSING; ESTADO ON-OFF;
    RELATÓRIO REPORT; DEVIDO OWED; REGRA RULE; CLÁUSULA CLAUSE; REGRA-OU-CLÁUSULA RULE-OR-CLAUSE; GUARDA GUARD;
    ATO ACT; PARÂMETRO PARAMETER; VALOR VALUE; NOME NAME; PORMENOR DETAIL; DESVIO DEVIATION; DESTINATÁRIO RECEIVER;
    DORSO BACK; AVISO NOTICE; DECISÃO OUTCOME; PESSOA PERSON; MÃO HAND; VEZ TURN; MONTANTE AMOUNT; COM-SINAL SIGNED
"""

GROUPS: Final = (_PARTS, _PEOPLE, _STEPS, _FACTS, _THINGS, _VALUES, _ACTS, _KINDS)
PAIRS: Final = tuple(tuple(pair.split()) for group in GROUPS for pair in group.split(";"))
"""Portuguese word, English word."""
